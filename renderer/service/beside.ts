let loading: Promise<void> | undefined;

/**
 * Loads the styles of everything that isn't on the first page, whose address the build writes into the document (scripts/later-styles.ts).
 * Pages without one have all their styles. After a failure, the next call tries again.
 */
function loadLaterStyles(): Promise<void> {
  const address = document.querySelector<HTMLMetaElement>('meta[name="pixdock-later-styles"]')?.content;
  if (address === undefined) return Promise.resolve();
  loading ??= new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href: address });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      loading = undefined;
      reject(new Error(`${address} can't be loaded`));
    });
    // Behind the first page's, which are in the body.
    document.body.append(link);
  });
  return loading;
}

const others = [loadLaterStyles];

/** Has something loaded with every part of the application that isn't in its first file. Called again after a failure, and when it is there. */
export function loadBeside(get: () => Promise<void>): void {
  others.push(get);
}

/** Loads a part, and what it needs besides its code: styles and texts. */
export async function withOthers<T>(get: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([get(), ...others.map((other) => other())]);
  return part;
}
