// Put into both worlds of a page by preload-script.ts: what one world hands to the other, as Electron's context bridge does. Values are
// copied, functions are wrapped, prototypes are lost. The worlds share only the document, so they call each other with events. `made` has the
// files that a script has made, also on the other side.
(own, other, made) => {
  const functions = [];
  const promises = [];
  /** The other world's functions that came here, with their ids there: they go back as themselves. */
  const theirs = new WeakMap();
  const MAX_DEPTH = 1000;
  /** The other world's response to the call that is being made. */
  let reply;

  /** `seen`: the objects of the same call so far, which stay the same objects. */
  const pack = (value, seen = new Map(), depth = 0) => {
    if (theirs.has(value)) return { is: 'own', id: theirs.get(value) };
    if (typeof value === 'function') return { is: 'function', id: functions.push(value) - 1 };
    if (typeof value === 'symbol') throw new TypeError('electron double: symbols can’t cross the context bridge');
    if (value === null || typeof value !== 'object') return { is: 'value', value };
    if (depth >= MAX_DEPTH) throw new TypeError('Electron contextBridge recursion depth exceeded.');
    if (value instanceof Promise) {
      const id = promiseId;
      promiseId += 1;
      value.then(
        (result) => send({ settles: id, result: pack(result) }),
        (error) => send({ settles: id, error: pack(error) }),
      );
      return { is: 'promise', id };
    }
    if (value instanceof Error) return { is: 'error', message: value.message };
    if (ArrayBuffer.isView(value) || CLONED.some((type) => value instanceof type)) return { is: 'value', value, isMade: made.has(value) };
    if (value instanceof Node) throw new TypeError('electron double: elements can’t cross the context bridge');
    if (seen.has(value)) return { is: 'seen', place: seen.get(value) };
    seen.set(value, seen.size);
    if (Array.isArray(value)) return { is: 'array', items: value.map((item) => pack(item, seen, depth + 1)) };
    return { is: 'object', entries: Object.entries(value).map(([key, entry]) => [key, pack(entry, seen, depth + 1)]) };
  };
  const CLONED = [ArrayBuffer, Blob, Date, Map, Set, RegExp];
  let promiseId = 0;

  const unpack = (packed, seen = []) => {
    switch (packed.is) {
      case 'own':
        return functions[packed.id];
      case 'function': {
        const proxy = (...input) => call(packed.id, input);
        theirs.set(proxy, packed.id);
        return proxy;
      }
      case 'seen':
        return seen[packed.place];
      case 'promise':
        return new Promise((resolve, reject) => {
          promises[packed.id] = { resolve, reject };
        });
      case 'error':
        return new Error(packed.message);
      case 'array': {
        const list = [];
        seen.push(list);
        for (const item of packed.items) list.push(unpack(item, seen));
        return list;
      }
      case 'object': {
        const object = {};
        seen.push(object);
        for (const [key, entry] of packed.entries)
          Object.defineProperty(object, key, { value: unpack(entry, seen), enumerable: true, writable: true, configurable: true });
        return object;
      }
      default:
        if (packed.isMade) made.add(packed.value);
        return packed.value;
    }
  };

  // The other world gets a copy of the detail.
  const send = (detail) => document.dispatchEvent(new CustomEvent(other, { detail }));

  const call = (id, input) => {
    const given = new Map();
    send({ calls: id, input: input.map((value) => pack(value, given)) });
    const { result, error } = reply;
    reply = undefined;
    if (error) throw unpack(error);
    return unpack(result);
  };

  document.addEventListener(own, ({ detail }) => {
    if ('replies' in detail) reply = detail.replies;
    else if ('settles' in detail) {
      const waiting = promises[detail.settles];
      delete promises[detail.settles];
      if (detail.error) waiting.reject(unpack(detail.error));
      else waiting.resolve(unpack(detail.result));
    } else {
      let replies;
      try {
        const given = [];
        replies = { result: pack(functions[detail.calls](...detail.input.map((value) => unpack(value, given)))) };
      } catch (error) {
        replies = { error: pack(error instanceof Error ? error : new Error(String(error))) };
      }
      send({ replies });
    }
  });

  /** Functions that exist from the start, by their place in the list of the world that has them. */
  return {
    offer: (callback) => void functions.push(callback),
    root:
      (place) =>
      (...input) =>
        call(place, input),
  };
};
