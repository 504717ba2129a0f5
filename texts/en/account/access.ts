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
