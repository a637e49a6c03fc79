import Feeds
import Testing
