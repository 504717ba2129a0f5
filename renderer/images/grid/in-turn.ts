/** Together, more would each take longer, the one that the user is waiting for included. */
const AT_ONCE = 2;

interface Turn {
  image: HTMLImageElement;
  src: string;
}

const waiting: Turn[] = [];
const loading = new Set<Turn>();

/** Loads an image when it is its turn, in the order of the calls. Returns a function that gives up its place, and whatever has been loaded. */
export function loadInTurn(image: HTMLImageElement, src: string): () => void {
  const turn = { image, src };
  waiting.push(turn);
  next();
  return () => {
    const at = waiting.indexOf(turn);
    if (at >= 0) waiting.splice(at, 1);
    image.removeAttribute('src');
    end(turn);
  };
}

function next(): void {
  while (loading.size < AT_ONCE) {
    const turn = waiting.shift();
    if (!turn) return;
    loading.add(turn);
    for (const event of ['load', 'error']) turn.image.addEventListener(event, () => end(turn), { once: true });
    turn.image.src = turn.src;
  }
}

function end(turn: Turn): void {
  if (loading.delete(turn)) next();
}
