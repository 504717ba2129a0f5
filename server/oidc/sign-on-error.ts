/** Why a sign-on did not work; the login page has a sentence for each. */
export type SignOnFault =
  /** The provider says no e-mail address, and the person has no account here yet. */
  | 'oidc_no_email'
  /** No account, and none may be created. */
  | 'oidc_not_allowed'
  /** An account has this address, but nobody has vouched that it belongs to the same person. */
  | 'oidc_email_taken'
  /** The account is disabled. */
  | 'oidc_disabled'
  /** The provider does not answer. */
  | 'oidc_unreachable'
  /** Everything else: refused at the provider, too late, or an answer that does not fit. */
  | 'oidc_failed';

export class SignOnError extends Error {
  override name = 'SignOnError';
  readonly fault: SignOnFault;

  constructor(fault: SignOnFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
