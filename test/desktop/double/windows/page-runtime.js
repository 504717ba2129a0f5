// Runs in the page's own world before anything else: the end of the context bridge there, and the permissions that Chromium's protocol
// doesn't know.
(() => {
  if (window !== window.top) return;
  // They have no path. Only the browser process knows those of others.
  const made = new WeakSet();
  window.File = new Proxy(File, {
    construct(target, input, created) {
      const file = Reflect.construct(target, input, created);
      made.add(file);
      return file;
    },
  });
  const bridge = MEMBRANE('PAGE', 'PRELOAD', made);
  bridge.offer((key, api) => {
    if (key in window) throw new Error(`Cannot bind an API on top of an existing property on the window object: ${key}`);
    freeze(api);
    Object.defineProperty(window, key, { value: api, enumerable: true });
  });
  // Only what is exposed; what its functions return can be changed.
  const freeze = (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
      return;
    Object.freeze(value);
    for (const name of Object.getOwnPropertyNames(value)) freeze(value[name]);
  };
  const isPermitted = bridge.root(0);
  const enterFullScreen = Element.prototype.requestFullscreen;
  Element.prototype.requestFullscreen = async function (options) {
    if ((await isPermitted('fullscreen')) !== true) throw new TypeError('Permissions check failed');
    return enterFullScreen.call(this, options);
  };
  // The fake devices are there for every page.
  const media = navigator.mediaDevices;
  const guard = (name, permission) => {
    const use = media?.[name];
    if (!use) return;
    media[name] = async (constraints) => {
      const answer = await isPermitted(permission, Boolean(constraints?.audio), navigator.userActivation.isActive);
      if (answer !== true) throw new DOMException('The app doesn’t permit it', answer);
      return use.call(media, constraints);
    };
  };
  guard('getDisplayMedia', 'display-capture');
  guard('getUserMedia', 'media');
})();
