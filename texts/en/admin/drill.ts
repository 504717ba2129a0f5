/** The test of automatic backups. */
export const drill = {
  passed: 'The latest automatic backup can be restored',
  passedText: 'Tested {{date}} (took {{duration}}): Pixdock started from it, and all {{formatted}} files ({{size}}) are intact.',
  failed: 'The latest automatic backup can’t be restored',
  failedText: 'Tested {{date}}. {{reason}} Check the folder and its disk, then run another backup.',
} as const;
