/** Whether the main way to point is a finger: there is nothing to drop files with, and no keyboard to paste with. */
export const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;
