"""systemd's manager as far as a scope takes it, on a socket of its own: manager.py SOCKET MODE

MODE: done, exists (the scope is there until it was stopped), refused, failed (the job fails), silent.
Prints `ready`, then each call with its arguments, one a line.
"""
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

INTERFACE = """
<node><interface name="org.freedesktop.systemd1.Manager">
  <method name="StartTransientUnit"><arg direction="in" type="s"/><arg direction="in" type="s"/>
    <arg direction="in" type="a(sv)"/><arg direction="in" type="a(sa(sv))"/><arg direction="out" type="o"/></method>
  <method name="StopUnit"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="out" type="o"/></method>
  <method name="KillUnit"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="i"/></method>
  <signal name="JobRemoved"><arg type="u"/><arg type="o"/><arg type="s"/><arg type="s"/></signal>
</interface></node>
"""
path, mode = sys.argv[1:]
exists = mode == "exists"
jobs = 0


def called(connection, sender, object_path, interface, method, parameters, invocation):
    global exists, jobs
    print(method, parameters.print_(False), flush=True)
    if mode == "silent":
        return
    if method == "KillUnit":
        return invocation.return_value(None)
    if method == "StartTransientUnit" and mode == "refused":
        return invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "not for you")
    if method == "StartTransientUnit" and exists:
        return invocation.return_dbus_error("org.freedesktop.systemd1.UnitExists", "Unit is there already.")
    if method == "StopUnit":
        exists = False
    jobs += 1
    job = f"/org/freedesktop/systemd1/job/{jobs}"
    result = "failed" if mode == "failed" else "done"
    ended = GLib.Variant("(uoss)", (jobs, job, parameters[0], result))
    # The job may end before its answer has left, as it does with systemd.
    connection.emit_signal(None, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "JobRemoved", ended)
    invocation.return_value(GLib.Variant("(o)", (job,)))


def connected(server, connection):
    node = Gio.DBusNodeInfo.new_for_xml(INTERFACE)
    connection.register_object("/org/freedesktop/systemd1", node.interfaces[0], called, None, None)
    connections.append(connection)
    return True


connections = []
server = Gio.DBusServer.new_sync("unix:path=" + path, Gio.DBusServerFlags.NONE, Gio.dbus_generate_guid(), None, None)
server.connect("new-connection", connected)
server.start()
print("ready", flush=True)
GLib.MainLoop().run()
