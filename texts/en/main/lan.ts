/** Texts about sharing on the local network. */
export const lan = {
  lanOff: 'Not shared on this network',
  lanStarting: 'Sharing on this network…',
  lanNoNetwork: 'Not connected to a network',
  lanUnconfirmed: 'Shared on this network, not opened by another device yet',
  lanUnreached: 'Shared on this network, but other devices may be blocked',
  lanReached: (by: string) => `Shared on this network, opened by ${by}`,
  lanMissing: (host: string) => `Links don’t work: this computer no longer has the address ${host}`,
  lanShare: 'Share on this network',
  lanCode: 'Show QR code…',
  choosePort: 'Choose another port…',
  linksStartElsewhere: 'Your links use the address set under Administration → Settings. Change it there.',
  portIsBlocked: 'Browsers refuse to open this port, which belongs to another service. Choose a different one.',
  portIsTaken: 'Another program is using this port. Choose a different one.',
  notAHost: 'Enter a host name or an IPv4 address, without http:// or a port.',
  portIsFixed: 'The port is set by the environment variable PIXDOCK_PORT. Change it there.',
  localNetworkBlocked:
    'macOS may be keeping Pixdock off your local network. Allow it under System Settings → Privacy & Security → Local Network.',
};
