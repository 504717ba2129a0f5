import { PublicAlbumPage } from '#renderer/features/public-album/public-album-page.tsx';
import { start } from './start.tsx';

void start(() => <PublicAlbumPage id={decodeURIComponent(location.pathname.split('/')[2] ?? '')} />);
