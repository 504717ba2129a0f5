import { ApiError, causes, NetworkError } from '#api/client.ts';

/** Exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The command was called wrongly; ends it with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Something about one file or about this machine failed; its message is the whole explanation. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** The person pressed Ctrl-C, or the system asked the program to end. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  constructor() {
    super('interrupted');
  }
}

const FILE_ERRORS: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a folder; use `pixdock import-dir` for folders',
  ENAMETOOLONG: 'the name is too long for a file',
  ENOSPC: 'no space left on the disk',
};

const NO_HTTPS = 'it does not speak HTTPS. Does its address begin with http://?';
const UNKNOWN_SIGNER =
  'nobody whom this computer trusts has signed its certificate. If your own authority has: NODE_EXTRA_CA_CERTS=ca.pem, or NODE_OPTIONS=--use-system-ca.';

const NETWORK_ERRORS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Is Pixdock running?',
  ENOTFOUND: 'there is no such name. Is it spelled right?',
  EAI_AGAIN: 'the name cannot be looked up. Is there a network?',
  EHOSTUNREACH: 'there is no way to that machine. Are both on the same network?',
  ENETUNREACH: 'there is no network.',
  ECONNRESET: 'the connection broke off.',
  UND_ERR_SOCKET: 'the connection broke off.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_SIGNER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_SIGNER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_SIGNER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_SIGNER,
  CERT_HAS_EXPIRED: 'its certificate has expired.',
};
const PROXY_LIMIT = 'A proxy in front of it refuses files of this size (nginx: client_max_body_size).';

/** What went wrong, as a sentence for people. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return withHint(error);
  if (!(error instanceof Error)) return String(error);
  if (error instanceof NetworkError) return describeNetworkError(error);
  const { code } = error as NodeJS.ErrnoException;
  return (code && FILE_ERRORS[code]) || error.message;
}

/** The client's sentence ends with the system's words; the common ones are replaced by words for people. */
function describeNetworkError(error: NetworkError): string {
  if (error.status === 413) return `${error.message} ${PROXY_LIMIT}`;
  for (const { code, message } of causes(error) as Iterable<NodeJS.ErrnoException>) {
    // OpenSSL's words for an answer that is plain HTTP; its code differs between the two ways of sending.
    const reason = /wrong version number/.test(message) ? NO_HTTPS : code && NETWORK_ERRORS[code];
    if (reason) return error.message.replace(/^(Could not reach \S+:).*/s, `$1 ${reason}`);
  }
  return error.message;
}

function withHint(error: ApiError) {
  switch (error.code) {
    case 'unauthorized':
      return `${error.message} Run \`pixdock login\` to store a valid token.`;
    case 'guest_disabled':
      return `${error.message} Run \`pixdock login\` to upload with your own token.`;
    default:
      return error.message;
  }
}
