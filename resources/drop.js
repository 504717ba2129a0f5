// The page of the drop window: passes what is dropped, pasted or chosen to the app's uploads, and shows what became of it.

const TEXTS = {
  en: {
    title: 'Drop pictures',
    prompt: 'Drop pictures here',
    hint: 'or click to choose files',
    uploading: (count) => (count === 1 ? 'Uploading 1 picture…' : `Uploading ${count} pictures…`),
    waiting: (count) => `Waiting · ${count} left`,
    paused: (count) => `Uploads are paused · ${count} left`,
    done: (count, copied) => {
      const what = count === 1 ? 'Link' : `${count} links`;
      return copied ? `${what} copied` : `${what} not copied: click to copy`;
    },
    failed: (count) => (count === 1 ? '1 upload failed' : `${count} uploads failed`),
    nothing: 'That didn’t contain a picture.',
    copy: (links) => `Copy ${links}`,
    limits: 'Wayland doesn’t let apps keep a window on top or remember its position. The title bar’s menu may offer “Always on top”.',
  },
  zh: {
    title: '拖放图片',
    prompt: '将图片拖到这里',
    hint: '或点击选择文件',
    uploading: (count) => `正在上传 ${count} 张图片…`,
    waiting: (count) => `正在等待 · 还有 ${count} 张`,
    paused: (count) => `上传已暂停 · 还有 ${count} 张`,
    done: (count, copied) => (copied ? `已复制 ${count} 个链接` : `${count} 个链接未复制，点击即可复制`),
    failed: (count) => `${count} 张图片上传失败`,
    nothing: '拖入或粘贴的内容中没有图片。',
    copy: (links) => `复制 ${links}`,
    limits: 'Wayland 不允许应用置顶窗口或记住窗口的位置。可以试试标题栏菜单中的“置顶”。',
  },
};

const element = (id) => document.getElementById(id);
const bridge = window.pixdock;
let texts = TEXTS.en;
/** What happened last, shown while nothing is being uploaded. */
let outcome = '';
let status = { sending: 0, queued: 0, isPaused: false, isWaiting: false };
/** Pictures that the service is fetching. */
let fetching = 0;
let links = '';
/** The number of pictures in them. */
let linked = 0;

/** Whether the key is held that does with drops what the user didn't choose. */
let inverted = false;
const passOn = (files) => bridge.uploadFiles(files, { dropped: { inverted } });

async function start() {
  const { language, canFloat } = await bridge.getPreferences();
  translate(language);
  element('limits').hidden = canFloat;
  bridge.onLanguageChanged((next) => {
    translate(next);
    show();
  });
  bridge.onUploadStatus((next) => {
    status = next;
    show();
  });
  bridge.onDelivery(showDelivery);
  status = await bridge.getUploadStatus();
  show();
}

function translate(language) {
  const chinese = (language === 'system' ? navigator.language : language).toLowerCase().startsWith('zh');
  texts = chinese ? TEXTS.zh : TEXTS.en;
  document.documentElement.lang = chinese ? 'zh-CN' : 'en';
  element('title').textContent = texts.title;
  document.title = texts.title;
  element('prompt').textContent = texts.prompt;
  element('hint').textContent = texts.hint;
  element('limits').textContent = texts.limits;
  element('link').setAttribute('aria-label', texts.copy(links));
  outcome = '';
}

function show() {
  const left = status.sending + status.queued + fetching;
  const { isPaused, isWaiting } = status;
  element('status').textContent =
    left === 0 ? outcome : isPaused ? texts.paused(left) : isWaiting ? texts.waiting(left) : texts.uploading(left);
}

function showDelivery(delivery) {
  const { count, failed, copied, opens } = delivery;
  outcome = [count > 0 && texts.done(count, copied), opens, failed > 0 && texts.failed(failed)].filter(Boolean).join(' · ');
  if (count > 0) {
    links = delivery.links;
    linked = count;
    element('link').textContent = links;
    element('link').setAttribute('aria-label', texts.copy(links));
    element('link').hidden = false;
  }
  show();
}

function report(message) {
  outcome = message;
  show();
}

/** Runs an upload and shows its error. */
async function attempt(upload) {
  try {
    await upload();
  } catch (error) {
    report(error.message);
  }
}

function upload(transfer) {
  const files = [...transfer.files];
  if (files.length > 0) return attempt(() => passOn(files));
  const address = addressOf(transfer);
  if (!address) return report(texts.nothing);
  if (address.startsWith('data:')) return attempt(() => passOn([fileOf(address)]));
  return attempt(() => uploadAddress(address));
}

async function uploadAddress(address) {
  fetching += 1;
  show();
  try {
    await bridge.uploadAddress(address);
  } finally {
    fetching -= 1;
    show();
  }
}

/** The address of a picture dragged from a page: its own, rather than that of the link around it. */
function addressOf(transfer) {
  const page = new DOMParser().parseFromString(transfer.getData('text/html'), 'text/html');
  const list = transfer.getData('text/uri-list').split(/\r?\n/);
  const candidates = [page.querySelector('img')?.getAttribute('src'), ...list, transfer.getData('text/plain').trim()];
  return candidates.find((text) => text && /^(https?:\/\/\S+|data:image\/[\w+.-]+;base64,\S+)$/i.test(text));
}

/** The picture in an address of the kind `data:image/png;base64,…`. */
function fileOf(address) {
  const [head, base64] = address.split(',');
  const type = head.slice('data:'.length, head.indexOf(';'));
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new File([bytes], `dropped.${type.split('/')[1].replace(/\+.*/, '')}`, { type });
}

const isOver = (over) => document.body.classList.toggle('over', over);

document.addEventListener('dragover', (event) => {
  event.preventDefault();
  event.dataTransfer.dropEffect = 'copy';
  isOver(true);
});
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) isOver(false);
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  isOver(false);
  inverted = event.altKey;
  upload(event.dataTransfer);
});
document.addEventListener('paste', (event) => {
  inverted = false;
  upload(event.clipboardData);
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') bridge.closeDropWindow();
});
element('choose').addEventListener('click', () => element('files').click());
element('files').addEventListener('change', ({ target }) => {
  const files = [...target.files];
  inverted = false;
  if (files.length > 0) attempt(() => passOn(files));
  target.value = '';
});
element('link').addEventListener('click', () => attempt(() => bridge.copyText(links).then(() => report(texts.done(linked, true)))));

start();
