interface Connection {
  effectiveType: 'slow-2g' | '2g' | '3g' | '4g';
  saveData: boolean;
}

/** Whether to be sparing with bytes: the connection is slow, or the user has asked for it. Only some browsers know. */
export function isSlowConnection(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return connection !== undefined && (connection.saveData || connection.effectiveType !== '4g');
}
