// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity ^0.8.30;

contract Mortal {
    uint256 public immutable born = block.number;

    constructor() payable {}

    function die(address payable heir) external {
        selfdestruct(heir);
    }
}

contract Sink {
    event Received(uint256 amount);

    receive() external payable {
        emit Received(msg.value);
    }
}

/// Does what a contract can do, so that a simulation of it can be compared with its receipt.
contract Machine {
    event Word(uint256 value);
    event Bytes(bytes data);

    mapping(uint256 => uint256) private slots;
    uint256 private counter;

    constructor() payable {
        for (uint256 at; at < 8; at++) slots[at] = at + 1;
    }

    receive() external payable {}

    function forward(address payable to, uint256 amount) external payable {
        (bool success,) = to.call{value: amount}("");
        emit Word(success ? 1 : 0);
    }

    function clear(uint256 count) external {
        for (uint256 at; at < count; at++) delete slots[at];
    }

    function flip() external {
        slots[100] = 1;
        slots[100] = 0;
        slots[0] = 9;
        slots[0] = 1;
    }

    function fill(uint256 start, uint256 count) external {
        for (uint256 at; at < count; at++) slots[start + at] = 7;
    }

    function remember(uint256 value) public returns (uint256 seen) {
        assembly {
            seen := tload(1)
            tstore(1, value)
        }
        emit Word(seen);
    }

    function rememberTwice() external {
        remember(5);
        this.remember(6);
        try this.rememberAndFail(7) {} catch {}
        remember(8);
    }

    function rememberAndFail(uint256 value) external {
        remember(value);
        revert("forget");
    }

    function create(uint256 value) external payable {
        emit Word(uint160(address(new Mortal{value: value}())));
    }

    function create2(bytes32 salt) external {
        Mortal child = new Mortal{salt: salt}();
        emit Word(child.born());
    }

    function createTwice(bytes32 salt) external {
        this.create2(salt);
        try this.create2(salt) {} catch {
            emit Word(404);
        }
    }

    function createAndDestroy(address payable heir, uint256 value) external payable {
        Mortal child = new Mortal{value: value}();
        child.die(heir);
        emit Word(address(child).balance);
    }

    function delegate(address target, bytes calldata data) external payable {
        (bool success, bytes memory output) = target.delegatecall(data);
        emit Word(success ? 1 : 0);
        emit Bytes(output);
    }

    function look(address target, bytes calldata data) external {
        (bool success, bytes memory output) = target.staticcall(data);
        emit Word(success ? 1 : 0);
        emit Bytes(output);
    }

    function count() external returns (uint256) {
        emit Word(++counter);
        return counter;
    }

    function countAndFail() external {
        counter++;
        emit Word(counter);
        revert("after counting");
    }

    function catchFailure() external {
        try this.countAndFail() {} catch (bytes memory reason) {
            emit Bytes(reason);
        }
        this.count();
    }

    function starve(uint256 gasLimit) external {
        try this.fill{gas: gasLimit}(200, 10) {
            emit Word(1);
        } catch {
            emit Word(0);
        }
    }

    function recurse(uint256 depth) external {
        if (depth == 0) return;
        try this.recurse(depth - 1) {} catch {}
        counter++;
    }

    function tellBlock() external {
        emit Word(block.number);
        emit Word(block.chainid);
        emit Word(block.gaslimit);
        emit Word(block.basefee);
        emit Word(block.blobbasefee);
        emit Word(uint160(address(block.coinbase)));
        emit Word(uint256(blockhash(block.number - 1)));
        emit Word(uint256(blockhash(block.number - 3)));
        emit Word(uint256(blockhash(block.number)));
        emit Word(uint256(blockhash(block.number + 1)));
    }

    function tellSelf() external payable {
        emit Word(address(this).balance);
        emit Word(msg.sender.balance > 0 ? 1 : 0);
        emit Word(uint160(tx.origin));
        emit Word(uint160(msg.sender));
        emit Word(uint256(address(this).codehash));
        emit Word(msg.sender.code.length);
        emit Word(gasleft());
    }

    function hash(uint256 size, uint256 times) external returns (bytes32 result) {
        bytes memory data = new bytes(size);
        for (uint256 at; at < times; at++) result = keccak256(data);
        emit Bytes(abi.encode(result));
    }

    function shout(uint256 times, uint256 size) external {
        for (uint256 at; at < times; at++) {
            assembly { log0(0, size) }
        }
    }

    function spin() external view {
        for (uint256 at; gasleft() > 0; at++) {}
    }

    function hammer(address target, bytes calldata data) external view {
        while (gasleft() > 10_000) {
            (bool success,) = target.staticcall(data);
            if (!success) break;
        }
    }
}
