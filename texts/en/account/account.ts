export const account = {
  username: 'Username',
  email: 'Email',
  noEmail: 'None',
  role: 'Role',
  owner: 'Owner',
  admin: 'Administrator',
  user: 'Member',
  since: 'Member since',
} as const;
