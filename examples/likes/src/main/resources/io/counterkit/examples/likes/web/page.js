// Keeps the page up to date and sends its forms in the background. Without this script the page works by reloads.
import { resume, sendAgain } from "./send.js";
import { adopt, show, showAges, showLostConnection } from "./view.js";

let isLost = false;

function connect() {
  const source = new EventSource("/live");
  source.onmessage = (event) => {
    show(JSON.parse(event.data));
    if (isLost) {
      isLost = false;
      sendAgain();
    }
  };
  source.onerror = () => {
    isLost = true;
    showLostConnection();
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(connect, 3000);
    }
  };
}

addEventListener("online", sendAgain);
adopt();
resume();
setInterval(showAges, matchMedia("(prefers-reduced-motion: reduce)").matches ? 2000 : 500);
connect();
