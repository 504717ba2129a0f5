export const settings = {
  title: 'Settings',
  sections: 'Settings sections',
  appearance: 'Appearance',
  tokens: 'API tokens',
  account: 'Account',
} as const;
