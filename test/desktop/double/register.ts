// `node --import <this file>`: every import of `electron`, also by packages and from the inspector's console, gets the double.
import { registerHooks } from 'node:module';

const url = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const isElectron = /^electron(\/(main|common))?$/.test(specifier);
    return isElectron ? { url, format: 'module-typescript', shortCircuit: true } : next(specifier, context);
  },
});
