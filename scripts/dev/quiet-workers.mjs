// Loaded before the service under `node --watch`, where each thread would report every module to its parent as a message of its own,
// and the parent would take it for the decoder's result. The folders to watch are given by name, so no reports are needed.
delete process.env.WATCH_REPORT_DEPENDENCIES;
