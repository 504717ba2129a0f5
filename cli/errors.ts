import { causes, NetworkError } from '#api/client.ts';

/** Exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Wrong use of a command; ends it with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A failure of one file or of this computer; its message is all that the user sees. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** The user pressed Ctrl-C, or the system asked the program to end. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  constructor() {
    super('interrupted');
  }
}

/** Why an empty file isn't uploaded. */
export const EMPTY = 'the file is empty';

const FILE_ERRORS: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder; use `pixdock import-dir` for folders',
  ENAMETOOLONG: 'the file name is too long',
  ENOSPC: 'no space left on the disk',
  EPIPE: 'the program that reads the output has ended',
};

const NO_HTTPS = 'it doesn’t use HTTPS. Try its address with http:// instead.';
const UNTRUSTED =
  'this computer doesn’t trust its certificate. If it was issued by your own certificate authority, set NODE_EXTRA_CA_CERTS=ca.pem or NODE_OPTIONS=--use-system-ca.';

const NETWORK_ERRORS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused. Is Pixdock running?',
  ENOTFOUND: 'there’s no such host. Check the spelling.',
  EAI_AGAIN: 'the host name couldn’t be looked up. Check your network connection.',
  EHOSTUNREACH: 'there’s no route to that host. Are both computers on the same network?',
  ENETUNREACH: 'the network is unreachable. Check your network connection.',
  ECONNRESET: 'the connection was lost.',
  UND_ERR_SOCKET: 'the connection was lost.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired.',
};
/** Since macOS 15, programs need a permission, which covers what is run in a terminal. */
const LOCAL_NETWORK =
  'macOS may also be keeping your terminal off the local network: see System Settings → Privacy & Security → Local Network.';
const PROXY_LIMIT = 'A proxy in front of it rejects files of this size (nginx: client_max_body_size).';

/** The error as a sentence for users. */
export function describeError(error: unknown, platform: NodeJS.Platform = process.platform): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof NetworkError) return describeNetworkError(error, platform);
  const { code } = error as NodeJS.ErrnoException;
  return (code && FILE_ERRORS[code]) || error.message;
}

/** Why a file that isn't to be uploaded can't be read. */
export function describeReadError(error: NodeJS.ErrnoException): string {
  return error.code === 'EISDIR' ? 'it is a folder' : describeError(error);
}

/** Replaces the system's words at the end of the client's sentence, where they are common, with plain ones. */
function describeNetworkError(error: NetworkError, platform: NodeJS.Platform): string {
  if (error.status === 413) return `${error.message} ${PROXY_LIMIT}`;
  for (const { code, message } of causes(error) as Iterable<NodeJS.ErrnoException>) {
    // OpenSSL's message for a plain HTTP response; its code differs between fetch and node:http.
    const reason = /wrong version number/.test(message) ? NO_HTTPS : code && NETWORK_ERRORS[code];
    if (!reason) continue;
    const hint = code === 'EHOSTUNREACH' && platform === 'darwin' ? ` ${LOCAL_NETWORK}` : '';
    return error.message.replace(/^(Could not reach \S+:).*/s, `$1 ${reason}${hint}`);
  }
  return error.message;
}
