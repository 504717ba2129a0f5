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
