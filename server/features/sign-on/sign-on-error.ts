import type { SignOnFault } from '#api/auth/oidc.ts';

/**
 * A failed sign-on. The sign-in page has a sentence for each fault; the message is for the log.
 * `oidc_no_email`: no address and no account yet. `oidc_not_allowed`: no account, and none may be created. `oidc_email_taken`: an
 * account has the address, but it isn't verified. `oidc_link_first`: an admin's account has it, which only its user can link. `oidc_disabled`: the account is disabled.
 * `oidc_linked_elsewhere`: the person who is being linked has another account.
 * `oidc_unreachable`: the provider doesn't respond. `oidc_failed`: everything else.
 */
export class SignOnError extends Error {
  override name = 'SignOnError';
  readonly fault: SignOnFault;
  /** An account's name, or the address that the provider sent. */
  readonly who: string;

  constructor(fault: SignOnFault, message: string, { who = '', ...options }: ErrorOptions & { who?: string } = {}) {
    super(message, options);
    this.fault = fault;
    this.who = who;
  }
}
