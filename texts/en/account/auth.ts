/** How hard a new password is to guess. */
export const password = { weak: 'Too easy to guess', fair: 'Fair', good: 'Good', strong: 'Strong' } as const;

export const auth = {
  signIn: 'Sign in',
  signInTo: 'Sign in to {{site}}',
  login: 'Username or email',
  password: 'Password',
  ended: 'Your session has expired. Sign in to pick up where you left off.',
  uploadsWait_one: '{{count}} upload is waiting.',
  uploadsWait_other: '{{count}} uploads are waiting.',
  setupTitle: 'Set up your Pixdock server',
  setupIntro: 'Create the first account. You’ll be the owner and can manage everything.',
  username: 'Username',
  email: 'Email',
  passwordHint: 'At least {{count}} characters',
  siteName: 'Site name',
  setupCode: 'Setup code',
  setupCodeHint:
    'You’ll find it in the terminal or log of the computer that runs Pixdock. It confirms that you’re allowed to set up this server.',
  create: 'Create account',
  show: 'Show password',
  forgot: 'Forgot your password? Ask an administrator.',
  asOwner: 'Continue as the owner',
  or: 'or',
  sso: 'Sign in with SSO',
  noAccount: 'Create an account',
  haveAccount: 'Already have an account? Sign in',
  registerTitle: 'Join {{site}}',
  registerClosed: 'Registration is closed. Ask an administrator for an account.',
  invite: 'Invite code',
  inviteClosed: 'This site isn’t accepting invites right now. Try the link again later, or contact the person who sent it.',
  inviteInvalid: 'This invite can’t be used. It may have expired, been used or been revoked. Ask the person who sent it for a new one.',
  withoutInvite: 'Create an account without an invite',
  otherInvite: 'Enter another invite code',
  passkey: 'Sign in with a passkey',
  passkeyTitle: 'Use your passkey',
  passkeyNeeded:
    'This site requires a second factor, and your account has a passkey. If you’ve lost it, ask an administrator to reset two-factor authentication.',
  passkeyElsewhere:
    'This site requires a second factor, but your account’s passkey doesn’t work at this address. Open the site at the address where you added it, or ask an administrator to reset two-factor authentication.',
  step: {
    title: 'Enter your code',
    intro: 'Open your authenticator app and enter the code for this site.',
    code: 'Code',
    useRecovery: 'Use a recovery code',
    recoveryIntro: 'Enter one of the recovery codes that you saved. Each works once.',
    recoveryCode: 'Recovery code',
    useApp: 'Use the authenticator app',
    back: 'Back',
  },
  oidc_no_email: {
    what: 'The sign-in service didn’t share your email address.',
    next: 'Pixdock needs it to create your account. Allow the service to share it, or ask an administrator to create the account for you.',
  },
  oidc_not_allowed: {
    what: 'You don’t have an account here.',
    next: 'Ask an administrator to create one, or to allow your email domain.',
  },
  oidc_email_taken: {
    what: 'Another account already uses your email address.',
    next: 'If that account is yours, sign in with your password and link it under Settings → Account, or ask an administrator to verify its email address.',
  },
  oidc_link_first: {
    what: 'An administrator’s account uses your email address.',
    next: 'If that account is yours, sign in with your password and link it under Settings → Account. You can then sign in to it with SSO.',
  },
  oidc_linked_elsewhere: {
    what: 'Another account here is already linked to this SSO identity.',
    next: 'Sign in to that account and remove the link under Settings → Account, or choose another identity at the sign-in service.',
  },
  oidc_disabled: { what: 'Your account is disabled.', next: 'Ask an administrator to enable it.' },
  oidc_unreachable: {
    what: 'The sign-in service isn’t responding.',
    next: 'Try again in a moment, or sign in with your password. If the problem persists, contact an administrator.',
  },
  oidc_failed: {
    what: 'Couldn’t sign you in with SSO.',
    next: 'Try again. If the problem persists, contact an administrator: the server log shows the cause.',
  },
} as const;
