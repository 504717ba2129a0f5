import { causes } from '#api/client.ts';

/**
 * Whether an error may mean that macOS keeps the app off the local network: since macOS 15, that requires the user's permission. Without it,
 * every connection fails as if there were no route.
 */
export function mayLackLocalNetwork(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'darwin' && [...causes(error)].some((cause) => (cause as NodeJS.ErrnoException).code === 'EHOSTUNREACH');
}
