/** Texts of notifications and of what takes their place. */
export const notices = {
  andMore: (count: number) => `and ${count} more`,
  /** Buttons of a message box. */
  closeBox: 'Close',
  showMore: 'Show',
  labelled: (label: string, text: string) => `${label}: ${text}`,
};
