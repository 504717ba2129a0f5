// Explains in a terminal why Electron couldn't be installed: the reason, the address tried, and what helps.
import { getSystemErrorName } from 'node:util';
import { Stalled, UnexpectedResponse } from './download.mjs';
import { formatBytes } from './progress.mjs';

/** There is no Electron for this system and processor. */
export class NotAvailable extends Error {}

/** What was downloaded isn't what Electron's package expects. */
export class WrongChecksum extends Error {}

/** Electron's installer failed. It prints the system's error only as text. */
export class UnpackingError extends Error {
  constructor(output) {
    const [message] = output.match(/^\w*Error: .*/m) ?? [output.trim()];
    super(message.replace(/^\w*Error: /, ''));
    const [, number] = /\(os error (\d+)\)/.exec(message) ?? [];
    if (number && process.platform !== 'win32') this.code = getSystemErrorName(-Number(number));
    this.path = /'(.+?)'/.exec(message)?.[1];
  }
}

const lost = ({ host }) => `the connection to ${host} was lost.`;
const silent = ({ host }) => `${host} didn't respond.`;
const notFound = ({ cause }) => `${cause.hostname} can't be found. Are you online?`;
const offline = ({ host }) => `there's no route to ${host}. Are you online?`;
const refused = ({ cause, host }) => `${cause.address ? `${cause.address}:${cause.port}` : host} refused the connection.`;
const invalid = ({ cause }) => `"${cause.input}" isn't an address.\nAddresses of mirrors and proxies start with http:// or https://.`;
const NETWORK_ERRORS = {
  ECONNREFUSED: refused,
  ECONNRESET: lost,
  EPIPE: lost,
  UND_ERR_SOCKET: lost,
  ETIMEDOUT: silent,
  UND_ERR_CONNECT_TIMEOUT: silent,
  ENOTFOUND: notFound,
  EAI_AGAIN: notFound,
  ENETUNREACH: offline,
  EHOSTUNREACH: offline,
  ERR_INVALID_URL: invalid,
  UND_ERR_INVALID_ARG: () => "the proxy's address must start with http:// or https://.",
};

const full = ({ cause }) => `the disk is full${cause.path ? `:\n  ${cause.path}` : '.'}`;
const forbidden = ({ cause }) => `you have no permission to write\n  ${cause.path}`;
const DISK_ERRORS = { ENOSPC: full, EDQUOT: full, EACCES: forbidden, EPERM: forbidden, EROFS: forbidden };

const UNTRUSTED = `  NODE_USE_SYSTEM_CA=1         trusts the certificates of this computer
  NODE_EXTRA_CA_CERTS          your network's certificate authority, a .pem file
`;

/**
 * Explains a failed installation, in lines of at most 80 characters where names and addresses allow it.
 * @param url the address tried; undefined when nothing was requested
 * @param received how many bytes the next start can keep
 */
export function explainFailure(error, { url, received, version }) {
  const cause = rootOf(error);
  const subject = { error, cause, version, host: url && new URL(url).host };
  // A firewall can forbid a connection, too.
  const onDisk = cause.syscall === 'connect' ? undefined : DISK_ERRORS[cause.code]?.(subject);
  const title = `Electron couldn't be installed: ${onDisk ?? networkReason(subject)}`;
  if (error instanceof NotAvailable || error instanceof UnpackingError) return title;
  if (onDisk) return `${title}\nThe environment variable electron_config_cache names another folder to use.`;
  return [
    title,
    ...(url ? [`  ${withoutPassword(url)}`] : []),
    ...(received > 0 ? [`The next start continues the download at ${formatBytes(received)}.`] : []),
    '',
    'Start again to retry. These environment variables can help:',
    `${isTlsError(cause) ? UNTRUSTED : ''}${networkHelp(url, version)}`,
  ].join('\n');
}

/** The error that caused the others: fetch wraps those of the network. */
function rootOf(error) {
  return error.cause ? rootOf(error.cause) : error;
}

function networkReason({ error, cause, host, version }) {
  const [, proxyStatus] = /^Proxy response \((\d+)\)/.exec(cause.message) ?? [];
  if (error instanceof Stalled) return `no data came from ${host} for ${error.seconds} s.`;
  if (error instanceof UnexpectedResponse && error.status) return `${host} responded with ${error.status}.`;
  if (error instanceof UnexpectedResponse) return unexpected(error, host);
  if (error instanceof WrongChecksum)
    return `the file's checksum is wrong.\nThe server or a proxy sent something other than Electron ${version}.`;
  if (proxyStatus === '407') return "the proxy requires a password.\nGive it in the proxy's address: http://name:password@host:port";
  if (proxyStatus) return `the proxy didn't connect to ${host} (status ${proxyStatus}).`;
  if (isTlsError(cause)) return `the secure connection to ${host} failed.\nReason: ${cause.code}`;
  return NETWORK_ERRORS[cause.code]?.({ cause, host }) ?? cause.message;
}

function unexpected({ type }, host) {
  if (!type.startsWith('text/html')) return `${host} sent something else (${type || 'of unknown type'}).`;
  return `${host} sent a web page instead.\nDoes your network have a sign-in page? Open any website in your browser.`;
}

const isTlsError = ({ code }) => /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code);

function networkHelp(url, version) {
  const name = url?.startsWith('http:') ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const current = process.env[name] || process.env[name.toLowerCase()];
  const now = current ? `\n${' '.repeat(31)}(now ${withoutPassword(current)})` : '';
  return `  ${name.padEnd(27)}  your network's proxy, such as http://proxy:3128${now}
  ELECTRON_MIRROR              a mirror, such as https://example.org/electron/
  ELECTRON_OVERRIDE_DIST_PATH  a folder that contains Electron ${version}, unpacked`;
}

function withoutPassword(address) {
  return address.replace(/\/\/[^/@]*@/, '//');
}
