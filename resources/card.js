// The page of cards: shows what main says of the captures and uploads on one display, and passes on what the user does with them.

const ICONS = {
  copyLink: 'M9 15l6-6M11 6l.5-.5a5 5 0 0 1 7 7l-.5.5M13 18l-.4.5a5 5 0 0 1-7-7l.4-.5',
  copyPicture: 'M8 8h11v11H8zM16 8V5H5v11h3',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  pin: 'M15 4l5 5-4 2-4 4 .5 3.5L5.5 12 9 12.5l4-4zM8 16l-4 4',
  sendTo: 'M10 14L21 3M21 3l-6.5 18-4.5-7-7-4.5z',
  delete: 'M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
  close: 'M7 7l10 10M17 7L7 17',
};
/** Shown as words. */
const WORDS = ['retry', 'share'];

const element = (id) => document.getElementById(id);
const bridge = window.pixdock;
const display = location.hash.slice(1);
/** What is shown of each card, by its id. */
const shown = new Map();
let state = { lang: 'en', heading: '', askDelete: '', cancel: '', cards: [] };
let isFocusAwaited;

async function refresh() {
  state = await bridge.getCards(display);
  document.documentElement.lang = state.lang;
  document.title = state.heading;
  element('heading').textContent = state.heading;
  const ids = state.cards.map(({ id }) => id);
  const focused = ids.length > 0 && focusedCard();
  for (const [id, { article, address }] of shown) {
    if (ids.includes(id)) continue;
    article.remove();
    if (address) URL.revokeObjectURL(address);
    shown.delete(id);
  }
  for (const card of state.cards) show(card);
  element('cards').prepend(...state.cards.filter(({ id }) => !shown.get(id).article.isConnected).map(({ id }) => shown.get(id).article));
  if (focused && !shown.has(focused)) focusCard(ids[0]);
  if (isFocusAwaited) focusCard(isFocusAwaited);
}

const focusedCard = () => document.activeElement?.closest('article')?.dataset.id;

function show(card) {
  const one = shown.get(card.id) ?? create(card);
  const { article, title, detail } = one;
  if (one.last !== card.title + card.state) one.message = '';
  one.last = card.title + card.state;
  article.setAttribute('aria-label', card.name);
  article.dataset.state = card.state;
  if (title.textContent !== card.title) title.textContent = card.title;
  detail.textContent = one.message || card.detail;
  detail.title = detail.textContent;
  detail.classList.toggle('problem', one.message !== '' || card.state === 'failed');
  one.progress.hidden = card.state !== 'uploading';
  one.progress.setAttribute('aria-label', card.title);
  if (card.progress === undefined) one.progress.removeAttribute('value');
  else one.progress.value = card.progress;
  const open = card.actions.find(({ name }) => name === 'open');
  one.picture.setAttribute('aria-label', open ? `${open.label}: ${card.name}` : card.name);
  one.picture.setAttribute('aria-disabled', String(!open));
  one.picture.draggable = card.canDrag;
  showTools(one, card);
  if (one.named !== card.name && one.pictured !== card.name + card.state) void loadPicture(one, card);
}

function create({ id }) {
  const article = element('card').content.cloneNode(true).querySelector('article');
  const find = (selector) => article.querySelector(selector);
  article.dataset.id = id;
  const one = {
    ...{ id, article, message: '', drawn: '' },
    title: find('.title'),
    detail: find('.detail p'),
    words: find('.words'),
    progress: find('progress'),
    tools: find('.about > .tools'),
    picture: find('.picture'),
    question: find('.question'),
  };
  one.title.id = `title-${id}`;
  one.tools.setAttribute('aria-labelledby', one.title.id);
  one.picture.addEventListener('click', () => {
    if (one.picture.ariaDisabled !== 'true') run(one, 'open');
  });
  one.picture.addEventListener('dragstart', (event) => {
    // The system drags the file, not the page.
    event.preventDefault();
    attempt(one, () => bridge.dragCard(id));
  });
  shown.set(id, one);
  return one;
}

/** Keeps the focus on the same button when others come and go. */
function showTools(one, { actions }) {
  const drawn = JSON.stringify(actions);
  if (one.drawn === drawn) return;
  one.drawn = drawn;
  const focused = one.article.contains(document.activeElement) ? document.activeElement.dataset.action : undefined;
  const buttons = actions.filter(({ name }) => name !== 'open').map((action) => button(action, () => press(one, action.name)));
  const isWord = ({ dataset }) => WORDS.includes(dataset.action);
  one.words.replaceChildren(...buttons.filter(isWord));
  one.tools.replaceChildren(...buttons.filter((each) => !isWord(each)));
  if (focused) (buttons.find(({ dataset }) => dataset.action === focused) ?? buttons[0]).focus();
}

function button({ name, label }, act) {
  const made = Object.assign(document.createElement('button'), { type: 'button' });
  made.dataset.action = name;
  made.addEventListener('click', act);
  if (!ICONS[name]) return Object.assign(made, { textContent: label });
  made.title = label;
  made.setAttribute('aria-label', label);
  made.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}" /></svg>`;
  return made;
}

function press(one, name) {
  if (name === 'delete') ask(one);
  else run(one, name);
}

/** Nothing is deleted before the user has confirmed it. */
function ask(one) {
  const { question, article } = one;
  const label = state.cards.find(({ id }) => id === one.id)?.actions.find(({ name }) => name === 'delete')?.label ?? '';
  const text = question.querySelector('p');
  text.textContent = state.askDelete;
  text.id = `question-${one.id}`;
  question.setAttribute('aria-labelledby', text.id);
  const confirm = button({ name: 'confirm', label }, () => {
    end();
    run(one, 'delete');
  });
  const cancel = button({ name: 'cancel', label: state.cancel }, () => end());
  question.querySelector('.tools').replaceChildren(confirm, cancel);
  one.endQuestion = end;
  question.hidden = false;
  article.querySelector('.about').hidden = true;
  cancel.focus();

  function end() {
    one.endQuestion = undefined;
    question.hidden = true;
    article.querySelector('.about').hidden = false;
    one.tools.querySelector('[data-action="delete"]')?.focus();
  }
}

const run = (one, name) => attempt(one, () => bridge.actOnCard(one.id, name));

/** Does something and shows its error on the card. */
async function attempt(one, act) {
  try {
    one.message = '';
    await act();
  } catch (error) {
    one.message = error.message;
  }
  const card = state.cards.find(({ id }) => id === one.id);
  if (card && shown.has(one.id)) show(card);
}

/** Of a watch folder's latest file; asked for again once it is uploaded, since the server knows more formats than this app. */
async function loadPicture(one, card) {
  one.pictured = card.name + card.state;
  const bytes = await bridge.getCardPicture(card.id);
  if (!bytes || !shown.has(card.id)) return;
  if (one.address) URL.revokeObjectURL(one.address);
  one.named = card.name;
  one.address = URL.createObjectURL(new Blob([bytes]));
  const image = one.picture.querySelector('img');
  image.src = one.address;
  image.hidden = false;
}

function focusCard(id) {
  const one = shown.get(id);
  isFocusAwaited = one ? undefined : id;
  (one?.tools.querySelector('button') ?? one?.picture)?.focus();
}

let isHeld = false;
let isOver = false;
function hold() {
  const next = isOver || document.hasFocus();
  if (next === isHeld) return;
  isHeld = next;
  void bridge.holdCards(display, isHeld);
}
// The window may appear under the pointer, which then never enters it.
document.addEventListener('pointermove', () => {
  isOver = true;
  hold();
});
document.documentElement.addEventListener('pointerleave', () => {
  isOver = false;
  hold();
});
// The pointer doesn't leave a window that is hidden for a capture.
document.addEventListener('visibilitychange', () => {
  isOver = false;
  hold();
});
window.addEventListener('focus', hold);
window.addEventListener('blur', hold);

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const one = shown.get(focusedCard() ?? state.cards[0]?.id);
  if (one?.endQuestion) one.endQuestion();
  else if (one) run(one, 'close');
});

bridge.onCardsChanged(() => void refresh());
bridge.onCardFocused(focusCard);
void refresh();
