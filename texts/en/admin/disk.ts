export const disk = {
  free: '{{free}} of {{total}} free, {{reserve}} reserved',
  stopped: 'Uploads have stopped. Free up space on this disk, or lower “Free space to keep” in the settings.',
  broken: 'Pixdock can’t read or write this folder. Check that its disk is connected.',
  fullness: 'Disk usage of {{name}}',
} as const;
