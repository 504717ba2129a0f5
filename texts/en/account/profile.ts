/** The user's own account. */
export const profile = {
  edit: 'Change',
  save: 'Save',
  saved: 'Saved',
  usernameTitle: 'Change your username',
  emailTitle: 'Change your email address',
  emailHint: 'You can also sign in with it.',
  currentPassword: 'Current password',
  newPassword: 'New password',
  password: 'Password',
  passwordHint: 'Changing it signs you out everywhere else.',
  passwordTitle: 'Change your password',
  noPasswordHint: 'You sign in with SSO. To also sign in without SSO, set a password.',
  passwordChanged: 'Password changed',
  export: 'Your data',
  exportHint: 'A zip file of all your pictures (including the trash) with their names, tags and albums.',
  exportButton: 'Download everything',
} as const;
