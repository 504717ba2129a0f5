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
const NUDGE = 10;
const CENTRE = { x: 0.5, y: 0.5 };

const element = (id) => document.getElementById(id);
const bridge = window.pixdock;
const id = location.hash.slice(1);

async function start() {
  const pin = await bridge.getPin(id);
  if (!pin) return;
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

/** What the window still has to do. */
let waiting = noChange();
let isPending = false;

function noChange() {
  return { x: 0, y: 0, factor: 1, around: CENTRE };
}

/** Passes changes on, at most once per frame. */
function change() {
  if (isPending) return;
  isPending = true;
  requestAnimationFrame(() => {
    isPending = false;
    const { x, y, factor, around } = waiting;
    waiting = noChange();
    if (x !== 0 || y !== 0) void bridge.movePin(id, { x, y });
    if (factor !== 1) void bridge.resizePin(id, factor, around);
  });
}

function move(x, y) {
  waiting.x += x;
  waiting.y += y;
  change();
}

/** What is at a point of the window, as a share of its width and height, stays where it is. */
function resize(factor, around = CENTRE) {
  waiting.factor *= factor;
  waiting.around = around;
  change();
}

/** Where the pointer is on the screen follows the pointer, not the window, which moves under it. */
function drag(event) {
  if (event.button !== 0 || event.target.closest('#tools')) return;
  let last = event;
  const main = event.currentTarget;
  main.setPointerCapture(event.pointerId);
  const follow = (next) => {
    const x = Math.round(next.screenX - last.screenX);
    const y = Math.round(next.screenY - last.screenY);
    // With fractional scaling, a pointer moves by parts of a pixel, which add up.
    if (x === 0 && y === 0) return;
    last = { screenX: last.screenX + x, screenY: last.screenY + y };
    move(x, y);
  };
  main.addEventListener('pointermove', follow);
  main.addEventListener('lostpointercapture', () => main.removeEventListener('pointermove', follow), { once: true });
}

const KEYS = {
  Escape: () => close(),
  '+': () => resize(STEP),
  '=': () => resize(STEP),
  '-': () => resize(1 / STEP),
  0: () => void bridge.resizePin(id, null, CENTRE),
  ArrowLeft: () => move(-NUDGE, 0),
  ArrowRight: () => move(NUDGE, 0),
  ArrowUp: () => move(0, -NUDGE),
  ArrowDown: () => move(0, NUDGE),
};

const close = () => void bridge.closePin(id);

const share = (value) => Math.min(1, Math.max(0, value));

const main = document.querySelector('main');
main.addEventListener('pointerdown', drag);
main.addEventListener(
  'wheel',
  ({ deltaY, clientX, clientY }) =>
    resize(STEP ** (-deltaY / 100), { x: share(clientX / window.innerWidth), y: share(clientY / window.innerHeight) }),
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
