import { PublicAlbumPage } from '#renderer/features/public-album/public-album-page.tsx';
import { reloadBrokenImages } from '#renderer/service/broken-images.ts';
import { loadViewerTexts, start } from './start.tsx';

reloadBrokenImages();
loadViewerTexts();
void start(() => <PublicAlbumPage id={decodeURIComponent(location.pathname.split('/')[2] ?? '')} />);
