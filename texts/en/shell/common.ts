export const common = {
  cancel: 'Cancel',
  close: 'Close',
  done: 'Done',
  delete: 'Delete',
  retry: 'Try again',
  loading: 'Loading…',
  optional: '{{label}} (optional)',
  typeName: 'To confirm, enter “{{name}}”',
  typeNameWrong: 'The name doesn’t match.',
} as const;
