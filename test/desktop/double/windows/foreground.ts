/** Which program the user works with: only that one may give the focus to a window of its own. */
let isOurs = true;

export const foreground = {
  isOurs: () => isOurs,
  /** The user acts on the app: its icon, a menu, a notification, or a start of its own. */
  come() {
    isOurs = true;
  },
  /** The user acts on another program, such as one that captures the screen. */
  leave() {
    isOurs = false;
  },
};
