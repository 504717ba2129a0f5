// The page of a pinned picture: moves, resizes, fades and closes its window.

const TEXTS = {
  en: {
    tools: 'Pinned picture',
    opacity: 'Opacity',
    smaller: 'Smaller (−)',
    full: 'Original size (0)',
    larger: 'Larger (+)',
    close: 'Close (Esc)',
  },
  zh: { tools: '钉住的图片', opacity: '不透明度', smaller: '缩小 (−)', full: '原始大小 (0)', larger: '放大 (+)', close: '关闭 (Esc)' },
};
/** The share by which a step changes the width. */
const STEP = 1.15;
/** Device-independent pixels. */
const MIN_WIDTH = 40;
const NUDGE = 10;

const element = (id) => document.getElementById(id);
const bridge = window.pixdock;
const id = location.hash.slice(1);

/** The place that the window will have: moves come faster than it changes. */
let place;
let isPending = false;
let fullWidth = 0;

async function start() {
  const pin = await bridge.getPin(id);
  if (!pin) return;
  fullWidth = pin.fullWidth;
  translate(pin.language);
  bridge.onLanguageChanged(translate);
  document.title = pin.name;
  element('name').textContent = pin.name;
  element('opacity').hidden = !pin.canFade;
  element('picture').alt = pin.name;
  element('picture').src = URL.createObjectURL(new Blob([pin.bytes], { type: 'image/png' }));
}

function translate(language) {
  const chinese = (language === 'system' ? navigator.language : language).toLowerCase().startsWith('zh');
  const texts = chinese ? TEXTS.zh : TEXTS.en;
  document.documentElement.lang = chinese ? 'zh-CN' : 'en';
  element('tools').setAttribute('aria-label', texts.tools);
  for (const name of ['opacity', 'smaller', 'full', 'larger', 'close']) {
    element(name).title = texts[name];
    element(name).setAttribute('aria-label', texts[name]);
  }
}

const current = () => place ?? { x: window.screenX, y: window.screenY, width: window.innerWidth };

/** At most once per frame. */
function setPlace(next) {
  place = { x: Math.round(next.x), y: Math.round(next.y), width: Math.max(MIN_WIDTH, Math.round(next.width)) };
  if (isPending) return;
  isPending = true;
  requestAnimationFrame(() => {
    isPending = false;
    const sent = place;
    // The window tells its place again once it has moved.
    void bridge.placePin(id, sent).finally(() => {
      if (place === sent && !isPending) place = undefined;
    });
  });
}

/** What is at a point of the window, as a share of its width and height, stays where it is. */
function resize(width, point = { x: 0.5, y: 0.5 }) {
  const now = current();
  const wider = Math.max(MIN_WIDTH, width) - now.width;
  const taller = (wider * window.innerHeight) / window.innerWidth;
  setPlace({ x: now.x - wider * point.x, y: now.y - taller * point.y, width: now.width + wider });
}

function drag(event) {
  if (event.button !== 0 || event.target.closest('#tools')) return;
  const from = current();
  const main = event.currentTarget;
  main.setPointerCapture(event.pointerId);
  const move = ({ screenX, screenY }) => setPlace({ ...from, x: from.x + screenX - event.screenX, y: from.y + screenY - event.screenY });
  main.addEventListener('pointermove', move);
  main.addEventListener('lostpointercapture', () => main.removeEventListener('pointermove', move), { once: true });
}

const KEYS = {
  Escape: () => close(),
  '+': () => resize(current().width * STEP),
  '=': () => resize(current().width * STEP),
  '-': () => resize(current().width / STEP),
  0: () => resize(fullWidth),
  ArrowLeft: () => nudge(-NUDGE, 0),
  ArrowRight: () => nudge(NUDGE, 0),
  ArrowUp: () => nudge(0, -NUDGE),
  ArrowDown: () => nudge(0, NUDGE),
};

function nudge(x, y) {
  const now = current();
  setPlace({ ...now, x: now.x + x, y: now.y + y });
}

const close = () => void bridge.closePin(id);

const main = document.querySelector('main');
main.addEventListener('pointerdown', drag);
main.addEventListener(
  'wheel',
  ({ deltaY, clientX, clientY }) =>
    resize(current().width * STEP ** (-deltaY / 100), { x: clientX / window.innerWidth, y: clientY / window.innerHeight }),
  { passive: true },
);
document.addEventListener('keydown', (event) => {
  const isSliding = event.target === element('opacity') && event.key.startsWith('Arrow');
  if (isSliding || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
element('smaller').addEventListener('click', KEYS['-']);
element('larger').addEventListener('click', KEYS['+']);
element('full').addEventListener('click', KEYS[0]);
element('close').addEventListener('click', close);
element('opacity').addEventListener('input', ({ target }) => void bridge.fadePin(id, target.valueAsNumber / 100));

void start();
