/** The channel on which the worker passes events on to all tabs. */
export const CHANNEL = 'pixdock.events';
/** On it, a tab asks the worker to open the stream unless it is open. */
export const OPEN = 'open';
