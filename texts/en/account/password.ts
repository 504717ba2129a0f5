/** How hard a new password is to guess. */
export const password = { weak: 'Too easy to guess', fair: 'Fair', good: 'Good', strong: 'Strong' } as const;
