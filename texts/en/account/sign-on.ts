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
