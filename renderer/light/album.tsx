import { PublicAlbumPage } from '#renderer/features/public-album/public-album-page.tsx';
import { reloadBrokenImages } from '#renderer/service/broken-images.ts';
import { start } from './start.tsx';

reloadBrokenImages();
void start(() => <PublicAlbumPage id={decodeURIComponent(location.pathname.split('/')[2] ?? '')} />);
