// The connection to the server: it comes back by itself, and the page's process waits for it a while.

export class Link {
  constructor(onMessage, onStatus) {
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    this.tries = 0;
    this.closed = false;
    window.addEventListener("online", () => this.connect());
    this.connect();
  }

  connect() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    clearTimeout(this.timer);
    const address = new URL("socket", location.href.replace(/[?#].*$/, ""));
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("page", sessionStorage.getItem("plyout-page") || "");
    const socket = (this.socket = new WebSocket(address));
    socket.addEventListener("open", () => {
      this.tries = 0;
      this.onStatus(true, "");
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.t === "hello") sessionStorage.setItem("plyout-page", message.page);
      this.received = (this.received || 0) + 1;
      this.bytes = (this.bytes || 0) + event.data.length;
      this.onMessage(message);
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.socket) return;
      const wait = Math.min(8000, 300 * 2 ** this.tries++);
      this.onStatus(false, event.reason || "the connection is lost, trying again …");
      this.timer = setTimeout(() => this.connect(), wait);
    });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.onStatus(false, "not connected");
  }

  get page() {
    return sessionStorage.getItem("plyout-page") || "";
  }
}
