// `npm run dev -- --pages`: a page that shows every page of the web application at once, live.

/** Side by side at a third of their size. Visitors' pages get none of the browser's cookies and settings. */
export function galleryPage(pages, { username, password }) {
  const frames = pages.map(
    ({ name, path, isPublic }) =>
      `<figure><figcaption><a href="${path}">${name}</a></figcaption><div><iframe title="${name}" data-src="${path}"${isPublic ? ' credentialless' : ''}></iframe></div></figure>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The pages of Pixdock</title>
<style>
  :root { --width: 1440; --height: 900; --scale: 0.33; }
  body { margin: 1rem; background: #777; font-family: system-ui, sans-serif; }
  nav { position: sticky; top: 0; z-index: 1; display: flex; gap: 1rem; padding-block: 0.5rem; background: #777; }
  main { display: flex; flex-wrap: wrap; gap: 1rem; }
  figure { margin: 0; }
  figure a { color: inherit; }
  div { width: calc(var(--width) * var(--scale) * 1px); height: calc(var(--height) * var(--scale) * 1px); overflow: hidden; }
  iframe { width: calc(var(--width) * 1px); height: calc(var(--height) * 1px); border: 0; background: white; scale: var(--scale); transform-origin: 0 0; }
</style>
<nav>
  <select id="width" aria-label="Width"><option>390</option><option selected>1440</option><option>2560</option></select>
  <select id="scheme" aria-label="Colours"><option>auto</option><option>light</option><option>dark</option></select>
  <select id="language" aria-label="Language"><option>auto</option><option>en</option><option>zh</option></select>
</nav>
<main>
${frames.join('\n')}
</main>
<script type="module">
  const field = (id) => document.getElementById(id);
  const KEY = 'pixdock.preferences';
  function apply() {
    const width = Number(field('width').value);
    document.documentElement.style.setProperty('--width', width);
    document.documentElement.style.setProperty('--scale', width < 600 ? 0.6 : 480 / width);
    localStorage.setItem('pixdock.color-scheme', field('scheme').value);
    localStorage.setItem(KEY, JSON.stringify({ ...JSON.parse(localStorage.getItem(KEY) ?? '{}'), language: field('language').value }));
  }
  const frames = [...document.querySelectorAll('iframe')];
  // One after the other: each loads hundreds of modules.
  let round = 0;
  async function reload() {
    apply();
    const own = ++round;
    for (const frame of frames) {
      if (own !== round) return;
      await new Promise((resolve) => {
        frame.onload = resolve;
        frame.src = frame.dataset.src;
      });
    }
  }
  field('width').onchange = apply;
  field('scheme').onchange = field('language').onchange = reload;
  await fetch('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(${JSON.stringify({ login: username, password })}),
  });
  void reload();
</script>
</html>
`;
}
