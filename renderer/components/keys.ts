const apple = () => /mac|iphone|ipad/i.test(navigator.userAgent);

/** How this system's keyboard writes its usual commands. */
export const copyKeys = () => (apple() ? '⌘C' : 'Ctrl+C');
export const pasteKeys = () => (apple() ? '⌘V' : 'Ctrl+V');
