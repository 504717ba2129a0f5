/** The channel on which the worker passes events on to all tabs. */
export const CHANNEL = 'pixdock.events';
/** On it, a tab asks the worker to open the stream unless it is open. */
export const OPEN = 'open';
/** On it, tabs are told that the session may be over: the stream was interrupted or refused, or a tab has signed out. */
export const ENDED = 'ended';
