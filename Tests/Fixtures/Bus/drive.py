"""Drives the mocks on a private bus: drive.py ADDRESS VERB ARGUMENT… Values are JSON, types D-Bus's letters."""
import json
import signal
import socket
import sys

import dbus
import dbus.bus
import dbus.lowlevel
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

MOCK = "org.freedesktop.DBus.Mock"
TYPES = {"b": dbus.Boolean, "u": dbus.UInt32, "t": dbus.UInt64, "d": dbus.Double, "s": dbus.String}

# What the template's Inhibit does, and an error for one mode.
INHIBIT = '''
import os, dbus, dbusmock.mockobject as mock
from gi.repository import GLib
if not hasattr(mock, "inhibitors"):
    mock.inhibitors = []
mock.asked = getattr(mock, "asked", 0) + 1
if args[3] == "%s":
    raise dbus.exceptions.DBusException("not allowed", name="%s")
ends = os.pipe()
held = (*args, 1000, 123456)
mock.inhibitors.append(held)
drop = lambda end, _, mock=mock, held=held, os=os: (os.close(end), mock.inhibitors.remove(held), False)[-1]
GLib.unix_fd_add_full(GLib.PRIORITY_HIGH, ends[0], GLib.IO_HUP, drop)
GLib.idle_add(os.close, ends[1])
ret = ends[1]
'''


def variant(kind, text):
    return TYPES[kind](json.loads(text), variant_level=1)


def silent(path):
    """Accepts every connection and never says a word."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    print("listening", flush=True)
    held = []
    while True:
        held.append(listener.accept())
        print("accepted", flush=True)


def main(address, verb, *arguments):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if verb == "silent":
        return silent(*arguments)
    DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(address)
    if verb == "wait":
        loop = GLib.MainLoop()
        bus.watch_name_owner(arguments[0], lambda owner: owner and loop.quit())
        return loop.run()
    if verb == "forge":
        # A signal to one process alone, from somebody who owns none of the names.
        pid, path, interface, member, kind, value = arguments
        daemon = bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus")
        for name in daemon.ListNames():
            if name.startswith(":") and int(daemon.GetConnectionUnixProcessID(name)) == int(pid):
                message = dbus.lowlevel.SignalMessage(path, interface, member)
                message.set_destination(name)
                if kind == "owner":
                    message.append(value, "", ":9.9", signature="sss")
                else:
                    message.append(TYPES[kind](json.loads(value)), signature=kind)
                bus.send_message(message)
                print("forged", name)
        return bus.flush()
    service, path, interface, *arguments = arguments
    mock = dbus.Interface(bus.get_object(service, path), MOCK)
    if verb == "update":
        name, kind, value = arguments
        mock.UpdateProperties(interface, {name: variant(kind, value)})
    elif verb == "add":
        name, kind, value = arguments
        mock.AddProperty(interface, name, variant(kind, value))
    elif verb == "emit":
        member, kind, value = arguments
        mock.EmitSignal(interface, member, kind, [TYPES[kind](json.loads(value))])
    elif verb == "refuse":
        mock.AddMethod(interface, "Inhibit", "ssss", "h", INHIBIT % tuple(arguments))
    elif verb == "session":
        # A session begins or ends: logind announces that, and the idleness that it brings about not.
        member, idle = arguments
        code = f'self.props["{interface}"]["IdleHint"] = {json.loads(idle)}'
        mock.AddMethod(interface, "SetQuietly", "", "", code)
        dbus.Interface(bus.get_object(service, path), interface).SetQuietly()
        mock.EmitSignal(interface, member, "so", ["c7", dbus.ObjectPath("/org/freedesktop/login1/session/c7")])
    elif verb == "call":
        result = dbus.Interface(bus.get_object(service, path), interface).get_dbus_method(arguments[0])()
        print(len(result), [str(part) for entry in result for part in entry])
    else:
        sys.exit(f"unknown verb: {verb}")


main(*sys.argv[1:])
