/** Linking the account to single sign-on. */
export const signOn = {
  title: 'Single sign-on',
  hint: 'Link your account to sign in with SSO. This works for administrators, too.',
  none: 'Not linked',
  since: 'Linked {{date}}',
  link: 'Link SSO account',
  linkTitle: 'Link your account to SSO',
  linkText:
    'You’ll go to the sign-in service. The identity you sign in with there will be able to sign in to this account, so make sure it’s yours.',
  continue: 'Continue',
  inBrowser: 'To link your account, open Pixdock in a browser. The app can’t open the sign-in service.',
  unlink: 'Remove link',
  unlinkOne: 'Remove link to {{issuer}}',
  unlinkTitle: 'Remove this link?',
  unlinkText: 'You’ll no longer be able to sign in to this account with SSO through {{issuer}}. You can link it again later.',
  unlinked: 'Link removed',
  linked: 'Your account is linked. You can sign in with SSO.',
} as const;

/** Ending sessions and tokens together. */
export const access = {
  revokeTokens: 'Also revoke all API tokens',
  revokeTokensHint: 'Programs that upload for you stop working until you give them a new token.',
  end: 'Sign out and revoke tokens',
  endHint: 'Lost a device, or suspect that someone else has access? End all sessions and revoke all tokens, then change your password.',
  endTitle: 'Sign out everywhere else and revoke all tokens?',
  endText:
    'You’ll be signed out everywhere except in this browser, and all API tokens will be revoked. Programs, scripts and connected devices will need new tokens.',
  ended: 'Signed out everywhere else, and all tokens revoked',
} as const;
