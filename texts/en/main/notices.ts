/** Texts of notifications and of what takes their place. */
export const notices = {
  andMore: (count: number) => `and ${count} more`,
  /** Buttons of a message box. */
  closeBox: 'Close',
  showMore: 'Show',
  picturesReceived: (count: number, from: string) => `${from || 'Someone'} sent ${count} ${count === 1 ? 'picture' : 'pictures'}`,
  receivedFor: (title: string) => `New pictures in “${title}”`,
  labelled: (label: string, text: string) => `${label}: ${text}`,
};
