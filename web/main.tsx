import { render } from 'preact';
import { Shell } from './shell.tsx';

const place = document.getElementById('page');
if (place) render(<Shell />, place);
