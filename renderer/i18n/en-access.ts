/** Linking the account to single sign-on. */
export const signOn = {
  title: 'Single sign-on',
  hint: 'Link your account to sign in with SSO. This works for administrators, too.',
  none: 'Not linked',
  since: 'Linked {{date}}',
  link: 'Link sign-on',
  linkTitle: 'Link your account to SSO',
  linkText: 'You’ll go to the sign-in service. Whoever signs in there can then sign in to this account, so make sure it’s you.',
  continue: 'Continue',
  inBrowser: 'Open Pixdock in a browser to link it: the app doesn’t open the sign-in service.',
  unlink: 'Remove link',
  unlinkOne: 'Remove link to {{issuer}}',
  unlinkTitle: 'Remove this link?',
  unlinkText: 'You can no longer sign in to this account with SSO through {{issuer}}. You can link it again later.',
  unlinked: 'Link removed',
  linked: 'Your account is linked. You can sign in with SSO.',
} as const;

/** Ending sessions and tokens together. */
export const access = {
  revokeTokens: 'Also revoke all API tokens',
  revokeTokensHint: 'Programs that upload for you stop working until you give them a new token.',
  end: 'End everything',
  endHint: 'Lost a device, or suspect that someone else has access? End all sessions and tokens, then change your password.',
  endTitle: 'End everything?',
  endText:
    'You’re signed out everywhere except in this browser, and all API tokens are revoked: programs, scripts and connected devices need a new token.',
  ended: 'All other sessions and all tokens have ended',
} as const;
