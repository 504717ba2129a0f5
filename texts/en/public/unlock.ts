export const unlock = {
  password: 'Password',
  show: 'Show password',
  submit: 'Unlock',
  wait: 'Try again in {{time}}',
  tooMany: 'Too many incorrect passwords.',
  tooManyNext: 'You can try again in {{time}}. If you’re not sure of the password, ask the person who sent you the link.',
} as const;
