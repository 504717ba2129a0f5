export const unsaved = {
  title: 'Discard changes?',
  text: 'Your changes haven’t been saved.',
  stay: 'Keep editing',
  discard: 'Discard changes',
} as const;
