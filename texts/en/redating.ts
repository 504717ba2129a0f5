/** Correcting the dates of pictures. */
export const redating = {
  title_one: 'Correct the date',
  title_other: 'Correct the dates of {{formatted}} pictures',
  way: 'What to change',
  shift: 'Shift',
  set: 'Set',
  shiftHint: 'For a camera whose clock or time zone was wrong: the pictures stay as far apart as they are.',
  setHint: 'All of them get this date.',
  direction: 'Direction',
  earlier: 'Earlier',
  later: 'Later',
  days: 'Days',
  hours: 'Hours',
  minutes: 'Minutes',
  preview: '{{before}} becomes {{after}}',
  save: 'Change date',
} as const;
