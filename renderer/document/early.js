// Runs before the first paint: the build writes it into every page, whose security policy names its hash (scripts/page-head.ts).
(() => {
  /** The page, and its texts in each language. The build fills both in. */
  const PAGE = '';
  const PACKS = {};
  /** The pages with the sidebar. */
  const FRAMED = /^\/(?:$|(?:albums|duplicates|trash|uploads|folders|settings|admin)(?:\/|$))/;

  const root = document.documentElement;
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage is blocked
    }
  };

  // A dark page never flashes white.
  const scheme = stored('pixdock.color-scheme');
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  let preferences = {};
  try {
    preferences = JSON.parse(stored('pixdock.preferences')) ?? {};
  } catch {
    // Not JSON: the defaults.
  }

  // The scripts choose the language in the same way, but only once they are there.
  const languages = [preferences.language, ...navigator.languages].map((tag) => String(tag).toLowerCase().split('-')[0]);
  const pack = PACKS[languages.find((language) => language in PACKS) ?? 'en'];
  if (pack) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href: pack }));

  // What the page will show is requested together with its scripts, which take these responses over (renderer/service/early.ts).
  const { pathname, search } = location;
  if (PAGE === 'index' && FRAMED.test(pathname)) root.setAttribute('data-framed', pathname === '/' ? 'pictures' : '');
  const requests = ['config', 'auth/session'];
  if (PAGE === 'index' && pathname === '/' && !search) {
    const sort = preferences.timeline ?? 'uploaded_desc';
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    // As renderer/images/list/list.ts and renderer/platform/pace.ts decide.
    const { connection } = navigator;
    const slow = connection && (connection.saveData || connection.effectiveType !== '4g');
    requests.push(
      `images?${new URLSearchParams({ sort, limit: slow ? '100' : '200' })}`,
      `images/timeline?${new URLSearchParams({ sort, time_zone })}`,
      'user/limits',
    );
  }
  const [, shared] = /^\/s\/(\w+)\/?$/.exec(pathname) ?? [];
  if (PAGE === 'share' && shared) requests.push(`s/${shared}`);
  window.pixdockEarly = new Map(
    requests.map((path) => {
      const response = fetch(`/api/v1/${path}`, { headers: { accept: 'application/json' } });
      // A script that asks for it learns of a failure, and no one else needs to.
      response.catch(() => undefined);
      return [`/api/v1/${path}`, response];
    }),
  );
})();
