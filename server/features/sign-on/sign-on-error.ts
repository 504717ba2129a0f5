import type { SignOnFault } from '#api/oidc.ts';

/**
 * A sign-on that did not work. The login page has a sentence for each fault; the message is for the log.
 * `oidc_no_email`: no address and no account yet. `oidc_not_allowed`: no account, and none may be made. `oidc_email_taken`: an
 * account has the address, but nobody has vouched that it is the same person's. `oidc_disabled`: the account is disabled.
 * `oidc_unreachable`: the provider does not answer. `oidc_failed`: everything else.
 */
export class SignOnError extends Error {
  override name = 'SignOnError';
  readonly fault: SignOnFault;
  /** Whom it is about: an account's name, or the address that the provider has told. */
  readonly who: string;

  constructor(fault: SignOnFault, message: string, { who = '', ...options }: ErrorOptions & { who?: string } = {}) {
    super(message, options);
    this.fault = fault;
    this.who = who;
  }
}
